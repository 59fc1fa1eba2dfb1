/**
 * 9f3c 41d2: enough to tell runs apart, in two groups that can be read. The gap between them is drawn, so that what is
 * copied is the beginning of an id, which every command and the finder take.
 */
export function ShortId({ id }: { readonly id: string }) {
  return (
    <span class="id">
      {id.slice(0, 4)}
      <span>{id.slice(4, 8)}</span>
    </span>
  );
}
