import { heading, pattern, positions, quote, steps, takers, valued } from './shell.js';
import type { CompletionNode, Values } from './tree.js';

/** A script for bash 3.2 and later. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  const words = nodes.map(({ path, commands, options }) => {
    const flags = options.flatMap((option) => option.flags).join(' ');
    const names = commands.map(({ name }) => name).join(' ');
    return `    ${quote(path)}) commands=${quote(names)} options=${quote(flags)} ;;\n`;
  });
  return `${heading('In ~/.bashrc: eval "$(endstop completion bash)"')}
_endstop() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local at=endstop commands='' options='' position=0 i word
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at $word" in
      ${pattern(steps(nodes))}) at="$at $word" position=0 ;;
      ${pattern(takers(nodes))})
        if [[ \${COMP_WORDS[i + 1]} == '=' ]]; then i=$((i + 2)); else i=$((i + 1)); fi ;;
      *) [[ $word == -* ]] || position=$((position + 1)) ;;
    esac
  done
  case "$at $prev" in
${valued(nodes)
  .map(({ at, value }) => `    ${pattern(at)}) ${offer(value)}return ;;\n`)
  .join('')}  esac
  case "$at" in
${words.join('')}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  [[ $position == 0 ]] && COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  case "$at $position" in
${positions(nodes)
  .map(({ at, value }) => `    ${at}) ${offer(value)};;\n`)
  .join('')}  esac
}

_endstop_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen -f -- "$cur"))
}

complete -F _endstop endstop
`;
}

function offer(value: Values): string {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY+=($(compgen -W ${quote(value.words.join(' '))} -- "$cur")); ${value.orFiles === true ? '_endstop_files; ' : ''}`;
    case 'files':
      return '_endstop_files; ';
    case 'any':
      return '';
  }
}
