import type { Ctx, Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { readSetting, writeSetting } from '../core/settings-store.ts'
import { UnprocessableError } from '../../lib/errors.ts'
import { pruneNotifications } from './prune-notifications.ts'
import { pruneRemoteStatuses } from './prune-remote-statuses.ts'
import { pruneStatusVersions } from './prune-status-versions.ts'
import type { PruneStep } from './prune-step.ts'
import { readRetentionPolicy } from './retention-policy.ts'
import type { RetentionPolicy } from './retention-policy.ts'

const HOUR_MS = 3_600_000

/** A pass examines all rows of an area; the next one starts a day later. */
const PASS_INTERVAL_MS = 24 * HOUR_MS

/** How long an hourly run prunes each area. The next run continues. */
const RUN_BUDGET_MS = 30_000

export type RetentionArea = 'remote_statuses' | 'notifications' | 'status_versions'

export const RETENTION_AREAS: readonly RetentionArea[] = ['remote_statuses', 'notifications', 'status_versions']

const STEPS: Readonly<Record<RetentionArea, { prune: PruneStep; isEnabled(policy: RetentionPolicy): boolean }>> = {
  remote_statuses: { prune: pruneRemoteStatuses, isEnabled: (policy) => policy.remoteStatusesDays > 0 },
  notifications: { prune: pruneNotifications, isEnabled: (policy) => policy.notificationsDays > 0 },
  status_versions: {
    prune: pruneStatusVersions,
    isEnabled: (policy) => policy.remoteVersionsDays > 0 || policy.localVersionsDays > 0,
  },
}

/** The progress of the last pass over an area, as it is stored. */
interface StoredPass {
  startedAt: number
  /** The time of the last step. */
  ranAt: number
  /** Where the pass continues; null: at the beginning. */
  cursor: string | null
  finished: boolean
  /** How many rows it has deleted. */
  count: number
}

/** The state of an area. */
export interface RetentionRun {
  area: RetentionArea
  enabled: boolean
  /** The last time at which rows were examined; null: never. */
  lastRunAt: Date | null
  /** How many rows the last pass has deleted. */
  lastCount: number
  /** Whether a pass is unfinished. */
  running: boolean
  /** null: pruning is switched off. */
  nextRunAt: Date | null
}

// The colon excludes these from the cached settings.
const storedName = (area: RetentionArea) => `retention:${area}`

/** Returns the last and the next run of each area. */
export async function readRetentionRuns(read: Read, { now }: { now: Date }): Promise<RetentionRun[]> {
  const policy = await readRetentionPolicy(read)
  const runs: RetentionRun[] = []
  for (const area of RETENTION_AREAS) {
    const pass = await readPass(read, area)
    const enabled = STEPS[area].isEnabled(policy)
    const nextHour = startOfHour(now.getTime()) + HOUR_MS
    const dueAt = pass?.finished ? Math.max(nextHour, dueAfter(pass, now)) : nextHour
    runs.push({
      area,
      enabled,
      lastRunAt: pass && new Date(pass.ranAt),
      lastCount: pass?.count ?? 0,
      running: pass !== null && !pass.finished,
      nextRunAt: enabled ? new Date(dueAt) : null,
    })
  }
  return runs
}

/**
 * Starts a pass over each area without an unfinished one, for a job that runs at once (Linnet: POST
 * /api/v1/admin/retention_policy/run). Like the hourly runs, that job prunes for half a minute each.
 * @throws UnprocessableError if pruning is switched off for all areas
 */
export async function startRetention(tx: Tx, { by }: { by: Actor }): Promise<void> {
  const policy = await readRetentionPolicy(tx)
  const areas = RETENTION_AREAS.filter((area) => STEPS[area].isEnabled(policy))
  if (areas.length === 0) throw new UnprocessableError('All retention periods are switched off')
  for (const area of areas) {
    const pass = await readPass(tx, area)
    if (!pass || pass.finished) await writePass(tx, area, newPass(tx.now))
  }
  tx.emit('retention.run_requested', {})
  await recordRun(tx, { by })
}

async function recordRun(tx: Tx, { by }: { by: Actor }): Promise<void> {
  const target = { targetType: 'retention_policy', targetId: null, label: 'retention policy' } as const
  await recordAuditEntry(tx, { by, action: 'run', ...target })
}

/**
 * Effect: prunes old remote statuses, notifications and versions of statuses in short transactions, for at most half a
 * minute each; the next run continues there.
 */
export async function runRetention(ctx: Ctx): Promise<void> {
  const policy = await readRetentionPolicy(ctx)
  for (const area of RETENTION_AREAS) {
    const { prune, isEnabled } = STEPS[area]
    if (!isEnabled(policy)) continue
    const now = ctx.now()
    let pass = await readPass(ctx, area)
    if (!pass || pass.finished) {
      if (pass && now.getTime() < dueAfter(pass, now)) continue
      pass = newPass(now)
    }
    const deadline = performance.now() + RUN_BUDGET_MS
    while (!pass.finished && performance.now() < deadline) {
      const { cursor, count }: { cursor: string | null; count: number } = await prune(ctx, {
        cursor: pass.cursor,
        policy,
        now,
        dryRun: null,
      })
      pass = { ...pass, ranAt: now.getTime(), cursor, finished: cursor === null, count: pass.count + count }
      await ctx.write((tx) => writePass(tx, area, pass!))
    }
  }
}

/**
 * Prunes all areas at once for an administrator on the command line, or, with `dryRun`, counts what would be pruned.
 * Calls `onStep` after each step. Returns the number of rows by area; null: switched off.
 */
export async function pruneNow(
  ctx: Ctx,
  { dryRun, onStep }: { dryRun: boolean; onStep(area: RetentionArea, count: number): void },
): Promise<Record<RetentionArea, number | null>> {
  const policy = await readRetentionPolicy(ctx)
  const counts: Record<RetentionArea, number | null> = {
    remote_statuses: null,
    notifications: null,
    status_versions: null,
  }
  if (!dryRun) await ctx.write((tx) => recordRun(tx, { by: null }))
  for (const area of RETENTION_AREAS) {
    const { prune, isEnabled } = STEPS[area]
    if (!isEnabled(policy)) continue
    const now = ctx.now()
    const pruned = dryRun ? new Set<string>() : null
    let [total, cursor]: [number, string | null] = [0, null]
    do {
      const result = await prune(ctx, { cursor, policy, now, dryRun: pruned })
      total += result.count
      cursor = result.cursor
      onStep(area, total)
    } while (cursor !== null)
    counts[area] = total
    if (!dryRun) await ctx.write((tx) => writePass(tx, area, { ...newPass(now), finished: true, count: total }))
  }
  return counts
}

function newPass(now: Date): StoredPass {
  return { startedAt: now.getTime(), ranAt: now.getTime(), cursor: null, finished: false, count: 0 }
}

async function readPass(read: Read, area: RetentionArea): Promise<StoredPass | null> {
  return readSetting<StoredPass>(read, { name: storedName(area) })
}

async function writePass(tx: Tx, area: RetentionArea, pass: StoredPass): Promise<void> {
  await writeSetting(tx, { name: storedName(area), value: pass })
}

/**
 * Returns the time from which the pass after a finished one may start. A start in the future is that of a clock that was
 * wrong and has been set back: it delays nothing. The clock of another process may be slightly ahead.
 */
function dueAfter({ startedAt }: StoredPass, now: Date): number {
  if (startedAt > now.getTime() + HOUR_MS) return 0
  return startOfHour(startedAt) + PASS_INTERVAL_MS
}

function startOfHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS
}
