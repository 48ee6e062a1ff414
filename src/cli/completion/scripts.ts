/** The script for each shell. It gives the words so far to `reeve __complete`, which answers what fits. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# reeve completion bash >> ~/.bashrc
COMP_WORDBREAKS=\${COMP_WORDBREAKS//=} # a key can be written part by part: server=demo,name=sales
_reeve_run() { if type -P reeve >/dev/null; then command reeve "$@"; else npx --no -- reeve "$@"; fi; }
_reeve() {
  local IFS=$'\\n'
  COMPREPLY=($(_reeve_run __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  if [[ \${#COMPREPLY[@]} -gt 0 && \${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace; fi
}
complete -F _reeve reeve
_reeve_npx() { # npx reeve ...
  [[ \${COMP_WORDS[1]} == reeve && COMP_CWORD -gt 1 ]] || return
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _reeve
}
complete -o default -F _reeve_npx npx`,
  zsh: `# reeve completion zsh >> ~/.zshrc, after compinit
_reeve_run() { if (( $+commands[reeve] )); then command reeve "$@"; else npx --no -- reeve "$@"; fi }
_reeve() {
  local line value
  local -a found
  for line in "\${(@f)$(_reeve_run __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value ]] && found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe reeve found -S ''
}
compdef _reeve reeve
_reeve_npx() { # npx reeve ...
  if [[ $words[2] == reeve ]]; then shift words; (( CURRENT-- )); _reeve; else _default; fi
}
compdef _reeve_npx npx`,
  fish: `# reeve completion fish > ~/.config/fish/completions/reeve.fish
function __reeve_run
  if type -q reeve; command reeve $argv; else; npx --no -- reeve $argv; end
end
function __reeve_complete
  set -l words (commandline -opc)
  test $words[1] = npx; and set -e words[1]
  set -e words[1]
  __reeve_run __complete -- $words (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c reeve -f -a '(__reeve_complete)'
complete -c npx -n '__fish_seen_subcommand_from reeve' -f -a '(__reeve_complete)'`,
};
