import { foldConfusables } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

const findMatches = statement<{ params: { normalized: string }; row: { allow_with_approval: boolean } }>(
  `select allow_with_approval from username_blocks
   where case comparison when 'equals' then normalized_username = $normalized
     else strpos($normalized, normalized_username) > 0 end`,
)

/** Returns whether new users with a username are refused, or need approval. */
export async function checkUsername(
  read: Read,
  { username }: { username: string },
): Promise<'allowed' | 'approval' | 'blocked'> {
  const blocks = await findMatches(read.db, { normalized: foldConfusables(username) })
  if (blocks.length === 0) return 'allowed'
  return blocks.every((block) => block.allow_with_approval) ? 'approval' : 'blocked'
}
