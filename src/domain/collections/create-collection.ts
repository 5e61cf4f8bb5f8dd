import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { filterVisibleAccounts } from '../accounts/lookup/find-account.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { insertItems } from './add-to-collection.ts'
import { checkCollection } from './check-collection.ts'
import type { CollectionTexts } from './check-collection.ts'
import { COLLECTION_LIMITS } from './limits.ts'
import { ensureUsableTag } from './collection-tag.ts'

const count = statement<{ params: { accountId: string }; row: { existing: number; allowed: number } }>(
  `select (select count(*)::int from collections c where c.account_id = u.account_id) as existing,
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
 * Creates a collection with its first accounts and returns its id.
 * @throws ValidationError for invalid properties, above the limits of accounts or collections, and for unknown accounts
 * @throws ForbiddenError for an account that does not allow it
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
  // The lock of the owner also serialises concurrent calls, so that they cannot exceed the limit of collections.
  await lockAccounts(tx, { ids: [accountId, ...targetIds] })
  await checkLimit(tx, accountId)
  const tagId = checked.tag ? await ensureUsableTag(tx, checked.tag) : null
  const { name, description = '', language = null, sensitive, discoverable } = checked
  const row = { accountId, name, description, language, sensitive, discoverable, tagId, now: tx.now }
  const [{ id }] = (await insert(tx.db, row)) as [{ id: string }]
  tx.emit('collection.created', { collectionId: id })
  if (targetIds.length > 0) await insertItems(tx, { collectionId: id, ownerId: accountId, targetIds })
  return id
}

async function checkTargets(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const accountIds = [...new Set(ids)]
  const validationError = (code: string, text: string) =>
    new ValidationError([{ attribute: 'account_ids', code, text }], { details: true })
  if (accountIds.length > COLLECTION_LIMITS.items) {
    throw validationError('ERR_TOO_LONG', `is too long (maximum is ${COLLECTION_LIMITS.items} accounts)`)
  }
  const known = await filterVisibleAccounts(tx, { ids: accountIds })
  if (known.length < accountIds.length) throw validationError('ERR_INVALID', 'is invalid')
  return accountIds
}

async function checkLimit(tx: Tx, accountId: string): Promise<void> {
  const [row] = await count(tx.db, { accountId })
  const allowed = row?.allowed ?? 0
  if ((row?.existing ?? 0) < allowed) return
  const text = `are limited to ${allowed}`
  throw new ValidationError([{ attribute: 'collections', code: 'ERR_INVALID', text }], { details: true })
}
