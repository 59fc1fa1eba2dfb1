/** What `use` failed with; fails itself when it does not. */
export async function failure(use: () => Promise<unknown>): Promise<Error> {
  try {
    await use();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('expected it to fail');
}
