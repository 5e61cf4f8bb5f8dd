import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { keepAccounts } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { insertItems } from './add-item.ts'
import { checkCollection } from './check.ts'
import type { CollectionTexts } from './check.ts'
import { COLLECTION_LIMITS } from './limits.ts'
import { ensureTopic } from './topic.ts'

const count = statement<{ params: { accountId: string }; row: { made: number; allowed: number } }>(
  `select (select count(*)::int from collections c where c.account_id = u.account_id) as made,
     r.collection_limit as allowed
   from users u join roles r on r.id = u.role_id where u.account_id = $accountId`,
)
const insert = statement<{
  params: {
    accountId: string
    name: string | undefined
    description: string
    language: string | null
    sensitive: boolean | undefined
    discoverable: boolean | undefined
    tagId: string | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into collections (account_id, name, description, language, sensitive, discoverable, tag_id, created_at, updated_at)
   values ($accountId, $name, $description, $language, $sensitive, $discoverable, $tagId, $now, $now) returning id`,
)

/**
 * Makes a collection, with the accounts that are in it from the beginning. Gives its id.
 * @throws ValidationFailed for what can't be said, for more accounts or collections than there may be, and for accounts
 *   that there are not · Forbidden when somebody does not want to be in it
 */
export async function createCollection(
  tx: Tx,
  {
    accountId,
    texts,
    targetAccountIds = [],
  }: { accountId: string; texts: CollectionTexts; targetAccountIds?: readonly string[] },
): Promise<string> {
  const checked = checkCollection(texts, { isNew: true })
  const targetIds = await checkTargets(tx, targetAccountIds)
  // The owner's lock also keeps two collections from being counted as one.
  await lockAccounts(tx, { ids: [accountId, ...targetIds] })
  await checkLimit(tx, accountId)
  const tagId = checked.topic ? await ensureTopic(tx, checked.topic) : null
  const { name, description = '', language = null, sensitive, discoverable } = checked
  const row = { accountId, name, description, language, sensitive, discoverable, tagId, now: tx.now }
  const [{ id }] = (await insert(tx.db, row)) as [{ id: string }]
  tx.emit('collection.created', { collectionId: id })
  if (targetIds.length > 0) await insertItems(tx, { collectionId: id, ownerId: accountId, targetIds })
  return id
}

async function checkTargets(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)]
  const refuse = (code: string, text: string) =>
    new ValidationFailed([{ attribute: 'account_ids', code, text }], { details: true })
  if (wanted.length > COLLECTION_LIMITS.items) {
    throw refuse('ERR_TOO_LONG', `is too long (maximum is ${COLLECTION_LIMITS.items} accounts)`)
  }
  const known = await keepAccounts(tx, { ids: wanted })
  if (known.length < wanted.length) throw refuse('ERR_INVALID', 'is invalid')
  return wanted
}

async function checkLimit(tx: Tx, accountId: string): Promise<void> {
  const [row] = await count(tx.db, { accountId })
  const allowed = row?.allowed ?? 0
  if ((row?.made ?? 0) < allowed) return
  const text = `are limited to ${allowed}`
  throw new ValidationFailed([{ attribute: 'collections', code: 'ERR_INVALID', text }], { details: true })
}
