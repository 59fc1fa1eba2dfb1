/** A queue each for workflows and activities, as the product has them. */
export const rawQueues = { workflows: 'raw-workflows', activities: 'raw-activities' } as const;
