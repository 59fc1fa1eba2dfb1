import { heading, pattern, positions, quote, steps, takers, valued } from './shell.js';
import type { CompletionNode, Described, Values } from './tree.js';

/** A script for zsh with what each command and option says. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  const words = nodes.map(({ path, commands, options }) => {
    const flags = options.flatMap(({ flags, says }) => flags.map((name) => ({ name, says })));
    return `    ${quote(path)})\n      names=(${list(commands)})\n      flags=(${list(flags)}) ;;\n`;
  });
  return `#compdef endstop
${heading('In ~/.zshrc, after compinit: eval "$(endstop completion zsh)"')}
_endstop() {
  local at=endstop position=0 i word
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT - 1]}"
  local -a names flags
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$at $word" in
      ${pattern(steps(nodes))}) at="$at $word" position=0 ;;
      ${pattern(takers(nodes))}) i=$((i + 1)) ;;
      *) [[ $word == -* ]] || position=$((position + 1)) ;;
    esac
  done
  if [[ $cur == --*=* ]]; then
    prev="\${cur%%=*}"
    compset -P '*='
  fi
  case "$at $prev" in
${valued(nodes)
  .map(({ at, value }) => `    ${pattern(at)}) ${offer(value)}return ;;\n`)
  .join('')}  esac
  case "$at" in
${words.join('')}  esac
  if [[ $cur == -* ]]; then
    _describe -o option flags
    return
  fi
  [[ $position == 0 ]] && (( \${#names} )) && _describe command names
  case "$at $position" in
${positions(nodes)
  .map(({ at, value }) => `    ${at}) ${offer(value)};;\n`)
  .join('')}  esac
}

compdef _endstop endstop
`;
}

/** `_describe` takes `name:what it says`. */
function list(described: readonly Described[]): string {
  return described.map(({ name, says }) => quote(`${name.replaceAll(':', '\\\\\\:')}:${says}`)).join(' ');
}

function offer(value: Values): string {
  switch (value.kind) {
    case 'words':
      return `compadd -- ${value.words.map(quote).join(' ')}; ${value.orFiles === true ? '_files; ' : ''}`;
    case 'files':
      return '_files; ';
    case 'any':
      return '';
  }
}
