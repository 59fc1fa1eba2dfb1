import type { Application } from '../application/application.js';
import { verbWords } from './review-desk.js';

/** What people made of these runs since, and who: "corrected by Ana". Runs that nobody decided are left out. */
export async function reviewedBy(
  { store }: Pick<Application, 'store'>,
  runs: readonly { readonly id: string; readonly outcomeKind: string | null; readonly run?: number | null }[],
): Promise<ReadonlyMap<string, string>> {
  const said = await Promise.all(
    runs
      .filter(({ outcomeKind }) => outcomeKind === 'unverified')
      .map(async ({ id }) => {
        const task = await store.reviews.find(id);
        if (task?.state !== 'decided' || task.key !== id) return [];
        if (task.verdict !== 'approve' && task.verdict !== 'correct') return [];
        const step = (await store.reviews.steps(task.id)).findLast(({ kind }) => kind === 'decided');
        return [
          [`${task.key} ${task.run}`, `${verbWords[task.verdict]} by ${step?.actor ?? 'somebody'}`] as const,
        ];
      }),
  );
  return new Map(said.flat());
}
