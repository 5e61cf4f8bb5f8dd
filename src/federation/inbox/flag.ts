import { createHash } from 'node:crypto'
import type { Ctx } from '../../domain/context.ts'
import { findDomainBlock } from '../../domain/moderation/domain-blocks.ts'
import { receiveReport } from '../../domain/reports/receive.ts'
import { plainText } from '../../lib/text/plainText.ts'
import type { ActivityFacts } from '../objects/read-activity.ts'
import { findKnownActor, resolveActor } from '../remote/actor.ts'
import { hostOf, idOf } from '../wire/read.ts'
import type { Incoming } from './incoming.ts'

const MAX_COMMENT_LENGTH = 5_000

/** Another server, or somebody there, tells the moderators of somebody. */
export async function handleFlag(ctx: Ctx, { activity, budget }: Incoming): Promise<void> {
  const objects = [...new Set(activity.objects.map(idOf).filter((id) => id !== null))]
  if (objects.length === 0 || (await rejectsReports(ctx, hostOf(activity.actor)))) return
  await resolveActor(ctx, { uri: activity.actor, budget })
  const actor = await findKnownActor(ctx, { uri: activity.actor })
  // The domain of a handle may be another one than the host of its actor.
  if (!actor || actor.domain === null || (await rejectsReports(ctx, actor.domain))) return
  const { id: accountId, domain } = actor
  const report = { accountId, domain, uri: nameOf(activity, objects), objects, comment: readComment(activity) }
  await ctx.write((tx) => receiveReport(tx, report))
}

async function rejectsReports(ctx: Ctx, domain: string | null): Promise<boolean> {
  return domain === null || (await findDomainBlock(ctx, { domain })).rejectReports
}

/** Some write plain text, some HTML: either way it is text here. */
function readComment({ content }: ActivityFacts): string {
  const text = /<\/?[a-z]/i.test(content) ? plainText(content) : content
  return text.slice(0, MAX_COMMENT_LENGTH).toWellFormed().trim()
}

/** Under what it is remembered: its id, or for one without, what it says. */
function nameOf({ id, actor, content }: ActivityFacts, objects: readonly string[]): string {
  const said = JSON.stringify([actor, content, objects])
  return id ?? `sha256:${createHash('sha256').update(said).digest('base64url')}`
}
