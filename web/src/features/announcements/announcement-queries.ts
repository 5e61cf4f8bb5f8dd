import { queryOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { Announcement } from '../../lib/api/entities.ts'
import { changeAtOnce } from '../../lib/change-at-once.ts'
import { api } from '../../lib/session.ts'
import type { StreamEvent } from '../../lib/stream-subscriptions.ts'
import { withReaction } from './with-reaction.ts'
import type { Reaction } from './with-reaction.ts'

/** The announcements of the staff to all users. */
export const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: async () => (await api().v1.announcements.list()) as unknown as Announcement[],
  staleTime: Infinity,
})

/** Changes the announcements as an event of the stream says. */
export function receiveAnnouncementEvent(client: QueryClient, { event, payload }: StreamEvent): void {
  const reload = () => void client.invalidateQueries({ queryKey: announcementsQuery.queryKey })
  if (event === 'announcement' || event === 'announcement.delete') reload()
  if (event !== 'announcement.reaction') return
  const { announcementId, name, count } = payload as unknown as { announcementId: string; name: string; count: number }
  const announcement = client.getQueryData(announcementsQuery.queryKey)?.find(({ id }) => id === announcementId)
  // The event is the same for all users. A new reaction is loaded, because this user may have added it in another client.
  if (!announcement?.reactions.some((reaction) => reaction.name === name)) return reload()
  changeReactions(client, announcementId, (reactions) =>
    reactions
      .map((reaction) => (reaction.name === name ? { ...reaction, count } : reaction))
      .filter((reaction) => reaction.count > 0),
  )
}

/**
 * Marks an announcement as read at once. It appears again if the server refuses.
 * @throws the error of the request
 */
export async function dismissAnnouncement(client: QueryClient, id: string): Promise<void> {
  await changeAtOnce<Announcement[]>(client, announcementsQuery.queryKey, {
    change: changeOne(id, (announcement) => ({ ...announcement, read: true })),
    request: () => api().v1.announcements.$select(id).dismiss(),
  })
}

/**
 * Adds or removes a reaction of the user at once. It changes back if the server refuses.
 * @throws the error of the request
 */
export async function react(
  client: QueryClient,
  { id, name, on }: { id: string; name: string; on: boolean },
): Promise<void> {
  await changeAtOnce<Announcement[]>(client, announcementsQuery.queryKey, {
    change: changeOne(id, (one) => ({ ...one, reactions: withReaction(one.reactions, { name, on }) })),
    request: () => {
      const reaction = api().v1.announcements.$select(id).reactions.$select(encodeURIComponent(name))
      return on ? reaction.update() : reaction.remove()
    },
  })
}

function changeReactions(client: QueryClient, id: string, work: (reactions: Reaction[]) => Reaction[]): void {
  const change = changeOne(id, (announcement) => ({ ...announcement, reactions: work(announcement.reactions) }))
  client.setQueryData(announcementsQuery.queryKey, (all) => all && change(all))
}

const changeOne = (id: string, work: (announcement: Announcement) => Announcement) => (all: Announcement[]) =>
  all.map((one) => (one.id === id ? work(one) : one))
