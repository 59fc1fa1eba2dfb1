import { createHash } from 'node:crypto';

/** Settings by name, as SHA-256 hex: enough to notice that one differs, without keeping a key in a second place. */
export type SettingDigests = Readonly<Record<string, string>>;

export function digestSettings(settings: Readonly<Record<string, string>>): SettingDigests {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      createHash('sha256').update(`${name}=${value}`).digest('hex'),
    ]),
  );
}

/** Names of the settings that only one side has, or that differ, in order. */
export function differingSettings(one: SettingDigests, other: SettingDigests): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]).sort();
}
