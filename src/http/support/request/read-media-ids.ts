/** Returns the ids of a request without empty ones: a form sends an empty list as one empty item (`media_ids[]=`). */
export function readMediaIds(ids: readonly string[] = []): string[] {
  return ids.filter((id) => id !== '')
}
