import { nearestWord } from '../domain/nearest-word.js';

const stops = 'Ctrl-C where "endstop up" runs stops the stack';

/** What people ask for who know other programs, and what does it here. */
const instead: Readonly<Record<string, string>> = {
  "unknown command 'stop'": stops,
  "unknown command 'down'": stops,
  "unknown command 'status'": '"endstop doctor" says how it is',
  "unknown command 'logs'": 'they are files, in the folder logs of ENDSTOP_HOME (.endstop)',
  "unknown option '--port'": 'the port is that of ENDSTOP_API_PORT',
};

/** Commander's message, and what was probably meant. */
export function askedInstead(message: string): string {
  const [said = ''] = message.trimEnd().split('\n');
  const hint = Object.entries(instead).find(([asked]) => said.startsWith(asked));
  if (hint !== undefined) return `${hint[0]}; ${hint[1]}\n`;
  const [, word = '', choices = ''] = /'([^']*)' is invalid.*Allowed choices are (.+)\.$/.exec(said) ?? [];
  const meant = nearestWord(word, choices.split(', '));
  return meant?.isNear && choices !== '' ? `${said} Did you mean "${meant.word}"?\n` : message;
}
