// What the reader looks at: which maps are shown, which cell is pointed at, which one is chosen. Shared by the maps, the
// clouds and the motions of one view.
import { tellingCell, type Panel } from "../data/panels";

export class Selection {
  private listeners: (() => void)[] = [];
  hovered: number | null = null;
  chosen: number;

  constructor(public panels: readonly Panel[]) {
    this.chosen = tellingCell(panels);
  }

  hover(cell: number | null): void {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.tell();
  }

  choose(cell: number): void {
    this.chosen = cell;
    this.tell();
  }

  show(panels: readonly Panel[]): void {
    this.panels = panels;
    this.tell();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  // Not for what is only pointed at.
  onChoice(listener: () => void): void {
    let { chosen, panels } = this;
    this.onChange(() => {
      if (chosen === this.chosen && panels === this.panels) return;
      ({ chosen, panels } = this);
      listener();
    });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
