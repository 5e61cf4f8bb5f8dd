import { createHash } from 'node:crypto'
import type { Ctx } from '../../../domain/context.ts'
import { findDomainBlock } from '../../../domain/domain-blocks/find-domain-block.ts'
import { recordRemoteReport } from '../../../domain/reports/record-remote-report.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import type { ParsedActivity } from '../../objects/read/read-activity.ts'
import { findKnownActor, resolveActor } from '../../remote/actors/resolve-actor.ts'
import { hostOf, idOf } from '../../wire/read-values.ts'
import type { IncomingActivity } from '../incoming-activity.ts'

const MAX_COMMENT_LENGTH = 5_000

/** Flag: a remote server or account reports an account to the moderators. */
export async function handleFlag(ctx: Ctx, { activity, budget }: IncomingActivity): Promise<void> {
  const objects = [...new Set(activity.objects.map(idOf).filter((id) => id !== null))]
  if (objects.length === 0 || (await rejectsReports(ctx, hostOf(activity.actor)))) return
  await resolveActor(ctx, { uri: activity.actor, budget })
  const actor = await findKnownActor(ctx, { uri: activity.actor })
  // The domain of a handle may be another one than the host of its actor.
  if (!actor || actor.domain === null || (await rejectsReports(ctx, actor.domain))) return
  const { id: accountId, domain } = actor
  const report = {
    accountId,
    domain,
    uri: deduplicationKeyOf(activity, objects),
    objects,
    comment: readComment(activity),
  }
  await ctx.write((tx) => recordRemoteReport(tx, report))
}

async function rejectsReports(ctx: Ctx, domain: string | null): Promise<boolean> {
  return domain === null || (await findDomainBlock(ctx, { domain })).rejectReports
}

/** Returns the comment as plain text. Some servers send plain text, some send HTML. */
function readComment({ content }: ParsedActivity): string {
  const text = /<\/?[a-z]/i.test(content) ? htmlToPlainText(content) : content
  return text.slice(0, MAX_COMMENT_LENGTH).toWellFormed().trim()
}

/**
 * Returns the key by which repeated reports are detected: the id of the activity or, without one, a hash of its
 * content.
 */
function deduplicationKeyOf({ id, actor, content }: ParsedActivity, objects: readonly string[]): string {
  const fingerprintSource = JSON.stringify([actor, content, objects])
  return id ?? `sha256:${createHash('sha256').update(fingerprintSource).digest('base64url')}`
}
