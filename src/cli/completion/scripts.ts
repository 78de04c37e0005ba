/** Completion scripts. Each asks the program itself (`drover __complete WORD…`), so they never go stale. */

const bash = `# bash completion for drover; load it with: source <(drover completion bash)
_drover() {
  local line files=no candidates=()
  while IFS= read -r line; do
    case $line in
      :0) files=yes ;;
      :*) ;;
      *) candidates+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  local current=\${COMP_WORDS[COMP_CWORD]}
  if [[ $files == yes ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "\${candidates[*]}" -- "$current")
  fi
}
complete -F _drover drover kubectl-drover
`;

const zsh = `#compdef drover kubectl-drover
# zsh completion for drover; load it with: source <(drover completion zsh)
_drover() {
  local line files=no
  local -a candidates
  while IFS= read -r line; do
    case $line in
      :0) files=yes ;;
      :*) ;;
      *) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if [[ $files == yes ]]; then
    _files
  else
    _describe 'drover' candidates
  fi
}
compdef _drover drover kubectl-drover
`;

const fish = `# fish completion for drover; load it with: drover completion fish | source
function __drover_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':0'
                __fish_complete_path (commandline -ct)
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c drover -f -a '(__drover_complete)'
complete -c kubectl-drover -f -a '(__drover_complete)'
`;

export const SCRIPTS = { bash, zsh, fish } as const;
