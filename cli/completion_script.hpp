// The script that `aria completion` prints.
#pragma once

namespace aria::cli {

inline constexpr const char* kBashCompletion = R"script(# bash completion for aria
_aria() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
  local program="${COMP_WORDS[0]}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "run improve correct study report rollout verify tasks algorithms completion --help --version" -- "$current")
    return
  fi
  case "$previous" in
    --task) mapfile -t COMPREPLY < <(compgen -W "$("$program" tasks --names 2>/dev/null)" -- "$current"); return ;;
    --algorithm) mapfile -t COMPREPLY < <(compgen -W "$("$program" algorithms --names 2>/dev/null)" -- "$current"); return ;;
    --algorithms)
      local done="" last="${current##*,}"
      [[ "$current" == *,* ]] && done="${current%,*},"
      mapfile -t COMPREPLY < <(compgen -P "$done" -W "all $("$program" algorithms --names 2>/dev/null)" -- "$last")
      compopt -o nospace 2>/dev/null
      return ;;
    --preset) mapfile -t COMPREPLY < <(compgen -W "paper lite" -- "$current"); return ;;
    --out)
      local kind=-d
      [[ "$command" == report || "$command" == rollout ]] && kind=-f
      mapfile -t COMPREPLY < <(compgen "$kind" -- "$current")
      return ;;
    --config | --actions | --reset-noise) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --set | --budget-sweep | --checkpoint-every | --seed | --index | --cell | --replications | --generations | --threads | --reevaluations) return ;;
  esac
  local common="--task --seed --out --config --set --reevaluations --threads --json --quiet --help"
  local words="--help"
  case "$command" in
    run) words="--algorithm --preset --use-symmetry --checkpoint-every $common" ;;
    improve) words="--preset --use-symmetry --checkpoint-every $common" ;;
    study) words="--algorithms --replications --preset --use-symmetry --budget-sweep --repair --so-far --checkpoint-every $common" ;;
    correct) words="--keep-samples $common" ;;
    report) words="$common" ;;
    rollout) words="--index --cell --actions --reset-noise --task --seed --out --config --set --json --quiet --help" ;;
    verify) words="--generations --all --threads --json --quiet --help" ;;
    tasks) words="--json --names --help" ;;
    algorithms) words="--json --names --task --preset --help" ;;
  esac
  if [[ "$current" == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ "$command" == improve || "$command" == correct || "$command" == report || "$command" == rollout || "$command" == verify ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _aria aria
)script";

}  // namespace aria::cli
