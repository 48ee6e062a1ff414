/** The script for each shell. It gives the words so far to `reeve __complete`, which answers what fits. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# reeve completion bash >> ~/.bashrc
COMP_WORDBREAKS=\${COMP_WORDBREAKS//=} # a key can be written part by part: server=demo,name=sales
_reeve() {
  local IFS=$'\\n'
  COMPREPLY=($(reeve __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  if [[ \${#COMPREPLY[@]} -gt 0 && \${COMPREPLY[0]} == *[/=] ]]; then compopt -o nospace; fi
}
complete -F _reeve reeve`,
  zsh: `# reeve completion zsh >> ~/.zshrc, after compinit
_reeve() {
  local line value
  local -a found
  for line in "\${(@f)$(reeve __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value ]] && found+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe reeve found -S ''
}
compdef _reeve reeve`,
  fish: `# reeve completion fish > ~/.config/fish/completions/reeve.fish
function __reeve_complete
  set -l words (commandline -opc)
  set -e words[1]
  reeve __complete -- $words (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c reeve -f -a '(__reeve_complete)'`,
};
