import type { Ctx } from '../domain/context.ts'
import { findTopicWatchers } from '../domain/feeds/watchers.ts'
import { renderStatusForMany } from '../render/statuses/render-status-for-many.ts'
import type { Audience } from './audience.ts'
import { isTagChannel, subjectOf } from './channels.ts'
import type { Channel } from './channels.ts'
import { Message } from './message.ts'

const nothing = () => {}

/** The open channels of the hashtags of a status. */
export function tagChannels(
  audience: Audience,
  { local, tags }: { local: boolean; tags: readonly string[] },
): Channel[] {
  const names = new Set(tags)
  return audience
    .channelsOf(isTagChannel)
    .filter((channel) => names.has(subjectOf(channel)) && (local || !channel.startsWith('hashtag:local')))
}

/** A status for the streams of its hashtags. It is written as for the public streams. */
export async function prepareTopics(
  ctx: Ctx,
  { audience, statusId, event }: { audience: Audience; statusId: string; event: 'update' | 'status.update' },
): Promise<() => void> {
  const listening = audience.peopleOn(isTagChannel)
  if (listening.length === 0) return nothing
  const found = await findTopicWatchers(ctx, { statusId, accountIds: listening })
  if (!found || found.accountIds.length === 0) return nothing
  const channels = tagChannels(audience, found)
  if (channels.length === 0) return nothing
  const heard = new Set(audience.peopleOn(channels))
  const viewerIds = found.accountIds.filter((id) => heard.has(id))
  const renderings = await ctx.read(renderStatusForMany, { id: statusId, viewerIds, impersonal: true })
  const once = event === 'update' ? `hashtags ${statusId}` : null
  return () => {
    for (const { status, viewerIds: likewise } of renderings) {
      audience.tell({ message: new Message(event, status), channels, accountIds: likewise, once })
    }
  }
}
