// Which cell the reader points at, and which one is chosen; shared by the maps and the clouds of one view.

export class Selection {
  private listeners: (() => void)[] = [];
  hovered: number | null = null;

  constructor(public chosen: number) {}

  hover(cell: number | null): void {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.tell();
  }

  choose(cell: number): void {
    this.chosen = cell;
    this.tell();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
