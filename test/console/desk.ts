import { claimReview } from '../../src/application/claim-review.js';
import type { Person, Scene } from './scene.js';
import { bytesOf, claimText, misread, type Seed, type Seeded, seedReview } from './seed.js';

let serial = 100;

/** What tests of the review screen do again and again. */
export function atDesk(scene: () => Scene) {
  return {
    /** A review of its own; what it is worth decides who is first in the queue. */
    async seed(amount = '5', more: object = {}, document: Partial<Seed> = {}) {
      serial += 1;
      const seeded: Seeded = await seedReview(scene().house.app, {
        tenant: scene().tenant,
        bytes: bytesOf(claimText(serial)),
        candidates: [{ ...misread(serial), ...more }],
        amount,
        ...document,
      });
      return { ...seeded, number: serial };
    },
    async take(who: string, review: string): Promise<Person> {
      await claimReview(scene().house.app, { review, actor: who, steal: null });
      const person = await scene().signIn(who);
      await person.open(`/console/reviews/${review}`);
      await person.page.locator('main[data-standing="mine"]').waitFor();
      return person;
    },
    taskOf: (review: string) => scene().house.app.store.reviews.find(review),
    controlOf: ({ page }: Person, pointer: string) => page.locator(`[id="c${pointer}"]`),
  };
}
