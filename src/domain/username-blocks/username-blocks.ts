import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { foldConfusables, isValidUsername, MAX_USERNAME_LENGTH } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

/** `equals`: the block is for the whole username; `contains`: for each username that contains it. */
type UsernameComparison = 'equals' | 'contains'

export interface UsernameBlockRow {
  id: string
  username: string
  normalized_username: string
  comparison: UsernameComparison
  allow_with_approval: boolean
  created_at: Date
  updated_at: Date
}

/** The parameters of the API. Undefined: unchanged, or the default of a new block. */
export interface UsernameBlockInput {
  username?: string | undefined
  comparison?: UsernameComparison | undefined
  allowWithApproval?: boolean | undefined
}

interface UsernameBlockValues {
  username: string
  comparison: UsernameComparison
  allowWithApproval: boolean
}

const COLUMNS =
  'b.id, b.username, b.normalized_username, b.comparison, b.allow_with_approval, b.created_at, b.updated_at'
const KEYSET = keysetClause('b.id')

const find = statement<{ params: { id: string }; row: UsernameBlockRow }>(
  `select ${COLUMNS} from username_blocks b where id = $id`,
)
const listDescending = statement<{ params: PageParameters; row: UsernameBlockRow }>(
  `select ${COLUMNS} from username_blocks b where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: UsernameBlockRow }>(
  `select ${COLUMNS} from username_blocks b where ${KEYSET.where} ${KEYSET.ascending}`,
)
const insert = statement<{ params: UsernameBlockValues & { normalized: string; now: Date }; row: { id: string } }>(
  `insert into username_blocks
     (username, normalized_username, comparison, allow_with_approval, created_at, updated_at)
   values ($username, $normalized, $comparison, $allowWithApproval, $now, $now)
   on conflict (normalized_username) do nothing returning id`,
)
const lock = statement<{ params: { id: string }; row: UsernameBlockValues }>(
  `select username, comparison, allow_with_approval as "allowWithApproval" from username_blocks
   where id = $id for update`,
)
const update = statement<{
  params: UsernameBlockValues & { id: string; normalized: string; now: Date }
  row: { id: string }
}>(
  `update username_blocks set username = $username, normalized_username = $normalized, comparison = $comparison,
     allow_with_approval = $allowWithApproval, updated_at = $now
   where id = $id and not exists (
     select from username_blocks other where other.normalized_username = $normalized and other.id <> $id)
   returning id`,
)
const remove = statement<{ params: { id: string }; row: UsernameBlockValues }>(
  `delete from username_blocks where id = $id
   returning username, comparison, allow_with_approval as "allowWithApproval"`,
)

/** Returns a page of blocks, newest first. */
export async function listUsernameBlocks(read: Read, { page }: { page: Page }): Promise<UsernameBlockRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one block. @throws NotFoundError */
export async function getUsernameBlock(read: Read, { id }: { id: string }): Promise<UsernameBlockRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Blocks a username, or a part of usernames, for new users; existing users keep theirs.
 * @throws ValidationError for an invalid username, and one that is blocked already
 */
export async function createUsernameBlock(
  tx: Tx,
  { by, ...input }: UsernameBlockInput & { by: Actor },
): Promise<{ id: string }> {
  const block = checkBlock({ input, before: { username: '', comparison: 'equals', allowWithApproval: false } })
  const [row] = await insert(tx.db, { ...block, normalized: foldConfusables(block.username), now: tx.now })
  if (!row) throw new ValidationError([TAKEN])
  await record(tx, { by, action: 'create', id: row.id, block })
  return row
}

/** Changes a block. @throws NotFoundError; ValidationError as `createUsernameBlock` */
export async function updateUsernameBlock(
  tx: Tx,
  { id, by, ...input }: UsernameBlockInput & { id: string; by: Actor },
): Promise<void> {
  const [before] = isId(id) ? await lock(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  const block = checkBlock({ input, before })
  const [row] = await update(tx.db, { ...block, id, normalized: foldConfusables(block.username), now: tx.now })
  if (!row) throw new ValidationError([TAKEN])
  await record(tx, { by, action: 'update', id, block })
}

/** Deletes a block. @throws NotFoundError */
export async function deleteUsernameBlock(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [block] = isId(id) ? await remove(tx.db, { id }) : []
  if (!block) throw new NotFoundError()
  await record(tx, { by, action: 'delete', id, block })
}

const TAKEN: FieldError = { attribute: 'username', code: 'ERR_TAKEN', text: 'has already been taken' }

/** Returns the complete block after a change. @throws ValidationError */
function checkBlock({
  input,
  before,
}: {
  input: UsernameBlockInput
  before: UsernameBlockValues
}): UsernameBlockValues {
  const { comparison = before.comparison, allowWithApproval = before.allowWithApproval } = input
  const username = (input.username ?? before.username).trim()
  const problem = usernameProblem(username)
  if (problem) throw new ValidationError([{ attribute: 'username', ...problem }])
  return { username, comparison, allowWithApproval }
}

/** Only characters of usernames are valid: a block with others would have no effect. */
function usernameProblem(username: string): Omit<FieldError, 'attribute'> | null {
  if (username === '') return { code: 'ERR_BLANK', text: "can't be blank" }
  if (username.length > MAX_USERNAME_LENGTH)
    return { code: 'ERR_TOO_LONG', text: `is too long (maximum is ${MAX_USERNAME_LENGTH} characters)` }
  if (isValidUsername(username)) return null
  return { code: 'ERR_INVALID', text: 'must contain only letters, numbers and underscores' }
}

async function record(
  tx: Tx,
  {
    by,
    action,
    id,
    block,
  }: { by: Actor; action: 'create' | 'update' | 'delete'; id: string; block: UsernameBlockValues },
): Promise<void> {
  const { username: label, comparison, allowWithApproval } = block
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'username_block',
    targetId: id,
    label,
    details: { comparison, allow_with_approval: allowWithApproval },
  })
}
