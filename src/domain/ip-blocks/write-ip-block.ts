import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { networkContains, parseIpNetwork } from '../../lib/http/ip-network.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import type { IpBlockSeverity } from './find-ip-block.ts'

const MAX_COMMENT_CHARACTERS = 1_000

/** A block that would expire later than in 100 years never expires. */
const MAX_SECONDS = 100 * 365 * 86_400

/** The parameters of the API. Undefined: unchanged, or missing in a new block. */
export interface IpBlockInput {
  /** An address, or a range in CIDR notation. */
  ip?: string | undefined
  severity?: IpBlockSeverity | undefined
  comment?: string | undefined
  /** 0: never. */
  expiresInSeconds?: number | undefined
}

interface IpBlock {
  ip: string
  severity: IpBlockSeverity
  comment: string
  expiresAt: Date | null
}

const insert = statement<{ params: IpBlock & { now: Date }; row: { id: string } }>(
  `insert into ip_blocks (ip, severity, comment, expires_at, created_at)
   values ($ip::cidr, $severity, $comment, $expiresAt, $now) on conflict (ip) do nothing returning id`,
)
const lock = statement<{ params: { id: string }; row: IpBlock }>(
  `select ip::text as ip, severity, comment, expires_at as "expiresAt" from ip_blocks where id = $id for update`,
)
const update = statement<{ params: IpBlock & { id: string }; row: { id: string } }>(
  `update ip_blocks set ip = $ip::cidr, severity = $severity, comment = $comment, expires_at = $expiresAt
   where id = $id and not exists (select from ip_blocks other where other.ip = $ip::cidr and other.id <> $id)
   returning id`,
)
const remove = statement<{ params: { id: string }; row: Pick<IpBlock, 'ip' | 'severity'> }>(
  `delete from ip_blocks where id = $id returning ip::text as ip, severity`,
)
// An expired block, which has no effect, does not prevent a new one before it is pruned.
const removeExpired = statement<{ params: { ip: string; now: Date } }>(
  `delete from ip_blocks where ip = $ip::cidr and expires_at <= $now`,
)

/**
 * Creates an IP block (Mastodon: POST /api/v1/admin/ip_blocks). `callerIp`: the address of the member of the
 * staff; null on the command line.
 * @throws ValidationError, also for a block without access of the caller's own address
 */
export async function createIpBlock(
  tx: Tx,
  { by, callerIp, ...input }: IpBlockInput & { by: Actor; callerIp: string | null },
): Promise<{ id: string }> {
  const block = checkIpBlock(tx, { input, before: null, callerIp })
  await removeExpired(tx.db, { ip: block.ip, now: tx.now })
  const [row] = await insert(tx.db, { ...block, now: tx.now })
  if (!row) throw new ValidationError([TAKEN])
  await record(tx, { by, action: 'create', id: row.id, block })
  return row
}

/**
 * Changes an IP block (Mastodon: PUT /api/v1/admin/ip_blocks/:id).
 * @throws NotFoundError; ValidationError as `createIpBlock`
 */
export async function updateIpBlock(
  tx: Tx,
  { id, by, callerIp, ...input }: IpBlockInput & { id: string; by: Actor; callerIp: string | null },
): Promise<void> {
  const [before] = isId(id) ? await lock(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  const block = checkIpBlock(tx, { input, before, callerIp })
  if (block.ip !== before.ip) await removeExpired(tx.db, { ip: block.ip, now: tx.now })
  const [row] = await update(tx.db, { ...block, id })
  if (!row) throw new ValidationError([TAKEN])
  await record(tx, { by, action: 'update', id, block })
}

/** Deletes an IP block (Mastodon: DELETE /api/v1/admin/ip_blocks/:id). @throws NotFoundError */
export async function deleteIpBlock(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [block] = isId(id) ? await remove(tx.db, { id }) : []
  if (!block) throw new NotFoundError()
  await record(tx, { by, action: 'delete', id, block })
}

const BLANK = { code: 'ERR_BLANK', text: "can't be blank" }
const TAKEN: FieldError = { attribute: 'ip', code: 'ERR_TAKEN', text: 'has already been taken' }

/** Returns the complete block after a change; `before` null: a new block. @throws ValidationError */
function checkIpBlock(
  { now }: Tx,
  { input, before, callerIp }: { input: IpBlockInput; before: IpBlock | null; callerIp: string | null },
): IpBlock {
  const problems: FieldError[] = []
  const ip = input.ip ?? before?.ip ?? ''
  const network = parseIpNetwork(ip)
  if (ip.trim() === '') problems.push({ attribute: 'ip', ...BLANK })
  else if (network === null) problems.push({ attribute: 'ip', code: 'ERR_INVALID', text: 'is invalid' })
  const severity = input.severity ?? before?.severity
  if (severity === undefined) problems.push({ attribute: 'severity', ...BLANK })
  if (network !== null && callerIp !== null && severity === 'no_access' && networkContains(network, callerIp))
    problems.push({ attribute: 'ip', code: 'ERR_INVALID', text: 'contains your own address' })
  const comment = input.comment === undefined ? (before?.comment ?? '') : cleanText(input.comment).trim()
  if (comment.length > MAX_COMMENT_CHARACTERS) {
    const text = `is too long (maximum is ${MAX_COMMENT_CHARACTERS} characters)`
    problems.push({ attribute: 'comment', code: 'ERR_TOO_LONG', text })
  }
  const seconds = input.expiresInSeconds
  if (seconds !== undefined && seconds < 0)
    problems.push({ attribute: 'expires_in', code: 'ERR_INVALID', text: 'is invalid' })
  if (problems.length > 0 || network === null || severity === undefined) throw new ValidationError(problems)
  const expiresAt = seconds === undefined ? (before?.expiresAt ?? null) : expiryOf({ now, seconds })
  return { ip: network.text, severity, comment, expiresAt }
}

function expiryOf({ now, seconds }: { now: Date; seconds: number }): Date | null {
  return seconds === 0 || seconds > MAX_SECONDS ? null : new Date(now.getTime() + seconds * 1000)
}

/** Records an action. The audit log contains no addresses: the label has only the kind and the size of the range. */
async function record(
  tx: Tx,
  {
    by,
    action,
    id,
    block,
  }: {
    by: Actor
    action: 'create' | 'update' | 'delete'
    id: string
    block: Pick<IpBlock, 'ip' | 'severity'> & Partial<IpBlock>
  },
): Promise<void> {
  const { kind, bits } = parseIpNetwork(block.ip)!
  const { severity, expiresAt } = block
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'ip_block',
    targetId: id,
    label: `${kind === 'ipv4' ? 'IPv4' : 'IPv6'} /${bits}`,
    details: { severity, ...(expiresAt && { expires_at: expiresAt }) },
  })
}
