/**
 * An instant. Without a script it reads as UTC and says so; the script writes it in the reader's zone.
 * `form`: `clock` is 14:24, `short` is 16 Mar 14:24, `day` is 16 March 2026, `ago` is how long ago.
 */
export function Time({
  at,
  form = 'short',
}: {
  readonly at: string | number;
  readonly form?: 'clock' | 'short' | 'day' | 'ago';
}) {
  const date = new Date(at);
  const iso = date.toISOString();
  const day = `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`;
  const clock = `${iso.slice(11, 16)} UTC`;
  const text = {
    clock,
    short: `${day} ${clock}`,
    day: `${day} ${date.getUTCFullYear()}`,
    ago: `${day} ${clock}`,
  }[form];
  return (
    <time datetime={iso} data-form={form} class="nowrap">
      {text}
    </time>
  );
}

export const monthNames = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const;
