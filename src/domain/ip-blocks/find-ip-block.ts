import { createBatch } from '../../platform/create-batch.ts'
import { IpNetworkMap, parseIpNetwork } from '../../lib/http/ip-network.ts'
import { Cache } from '../../platform/db/cache.ts'
import { statement } from '../../platform/db/statement.ts'
import type { CachedRead, Ctx, Read } from '../context.ts'
import { findRecentRead, invalidationsFor, openRead } from '../open-read.ts'

/** What a block does, from the mildest to the strictest. A stricter block includes the milder ones. */
export const IP_BLOCK_SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const
export type IpBlockSeverity = (typeof IP_BLOCK_SEVERITIES)[number]

interface ActiveIpBlock {
  severity: IpBlockSeverity
  expiresAt: Date | null
}

interface IpBlockRow {
  ip: string
  severity: IpBlockSeverity
  expires_at: Date | null
}

const load = statement<{ row: IpBlockRow }>(`select ip::text as ip, severity, expires_at from ip_blocks`)
// Requests that find the cache invalidated at the same time share one statement, which begins after their checks.
const loadTogether = createBatch<Read['db'], null, IpBlockRow[]>(
  async (db, requests) => {
    const rows = await load(db)
    return requests.map(() => rows)
  },
  { maxItems: 10_000 },
)

/** How much memory cached blocks may take: those of some hundred thousand networks. */
const CACHE_BYTES = 64 * 1024 * 1024

/** How long after a change of the blocks another process may still serve an address. */
const MAX_AGE_MS = 1_000

/** The same for streams that are already open, which are checked in intervals, too. */
const MAX_AGE_FOR_STREAMS_MS = 100

/** Measured: what a block takes in memory. */
const BYTES_PER_BLOCK = 200

/** All IP blocks, by their networks. */
export type IpBlocks = IpNetworkMap<ActiveIpBlock>

const cache = new Cache<IpBlocks>({
  maxBytes: CACHE_BYTES,
  isInvalidated: (invalidations, { since }) => invalidations.isInvalidated('IP blocks', '0', since),
})

/**
 * Returns the strictest severity of the blocks that contain an address and have not expired; null if there is none.
 * Without an epoch in the context, checks for invalidations.
 */
export async function findIpBlockSeverity(
  read: Pick<Read, 'db'> & Partial<Pick<CachedRead, 'invalidations'>>,
  { ip, now }: { ip: string; now: Date },
): Promise<IpBlockSeverity | null> {
  return strictestSeverity(await loadIpBlocks(read), { ip, now })
}

function strictestSeverity(blocks: IpBlocks, { ip, now }: { ip: string; now: Date }): IpBlockSeverity | null {
  const active = blocks.find(ip).filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
  return IP_BLOCK_SEVERITIES.findLast((severity) => active.some((block) => block.severity === severity)) ?? null
}

/**
 * Returns whether all requests from an address are refused. It costs a statement only if this process has not checked
 * for invalidations within a second; `open` then opens the context, for callers that use it further.
 */
export async function isAccessBlocked(
  ctx: Ctx,
  { ip, open = () => openRead({ db: ctx.db, config: ctx.config }) }: { ip: string; open?: () => Promise<CachedRead> },
): Promise<boolean> {
  const { db, config } = ctx
  const read = findRecentRead({ db, config }, { maxAgeMs: MAX_AGE_MS }) ?? (await open())
  return (await findIpBlockSeverity(read, { ip, now: ctx.now() })) === 'no_access'
}

/** Loads the blocks for checks of open streams. Returns the same object until a block changes. */
export async function loadRecentIpBlocks({ db, config }: Ctx): Promise<IpBlocks> {
  const read = findRecentRead({ db, config }, { maxAgeMs: MAX_AGE_FOR_STREAMS_MS })
  return loadIpBlocks(read ?? (await openRead({ db, config })))
}

/** Returns whether the blocks refuse all requests from an address. */
export function refusesAccess(blocks: IpBlocks, { ip, now }: { ip: string; now: Date }): boolean {
  return strictestSeverity(blocks, { ip, now }) === 'no_access'
}

async function loadIpBlocks(read: Pick<Read, 'db'> & Partial<Pick<CachedRead, 'invalidations'>>): Promise<IpBlocks> {
  const invalidations = await invalidationsFor(read)
  const cached = cache.get(invalidations, '')
  if (cached !== undefined) return cached
  const since = invalidations.epoch
  const rows = await loadTogether(read.db, null)
  const blocks = new IpNetworkMap<ActiveIpBlock>()
  for (const { ip, severity, expires_at: expiresAt } of rows) blocks.set(parseIpNetwork(ip)!, { severity, expiresAt })
  cache.set(invalidations, '', { value: blocks, since, bytes: rows.length * BYTES_PER_BLOCK })
  return blocks
}
