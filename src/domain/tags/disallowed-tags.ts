import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

const findUnusable = statement<{ params: { names: readonly string[] }; row: { name: string } }>(
  `select name from tags where name = any($names::text[]) and not usable`,
)

/** Returns those of the hashtags that the staff have made unusable. `names`: normalised. */
export async function findDisallowedTags(
  read: Pick<Read, 'db'>,
  { names }: { names: readonly string[] },
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  return new Set((await findUnusable(read.db, { names: [...new Set(names)] })).map(({ name }) => name))
}

/**
 * Checks the hashtags of a public status (Mastodon: DisallowedHashtagsValidator). `names`: normalised.
 * @throws ValidationError if some of them are not allowed
 */
export function checkTagsAllowed({
  names,
  disallowed,
}: {
  names: readonly string[]
  disallowed: ReadonlySet<string>
}): void {
  const refused = names.filter((name) => disallowed.has(name)).toSorted()
  if (refused.length === 0) return
  const list = refused.join(', ')
  const text =
    refused.length === 1 ? `contained a disallowed hashtag: ${list}` : `contained the disallowed hashtags: ${list}`
  throw new ValidationError([{ attribute: 'text', code: 'ERR_DISALLOWED_HASHTAG', text }])
}
