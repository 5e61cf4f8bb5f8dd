import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminAnnouncement } from '../../../lib/api/admin-entities.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { parametersOf } from './announcement-draft.ts'
import type { AnnouncementDraft } from './announcement-draft.ts'

export const announcementsQuery = listQuery(
  ['announcements'],
  async (page) => (await adminApi('announcements').fetch(page)) as AdminAnnouncement[],
)

export const announcementQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'announcement', id],
    queryFn: async () => (await adminApi('announcements', id).fetch()) as AdminAnnouncement,
  })

export async function createAnnouncement(draft: AnnouncementDraft): Promise<AdminAnnouncement> {
  const published = draft.publication === 'now'
  return (await adminApi('announcements').create({
    ...parametersOf(draft, { isPublished: false }),
    published,
  })) as AdminAnnouncement
}

/** Changes an announcement, and publishes it if it was not published and should be. */
export async function changeAnnouncement(before: AdminAnnouncement, draft: AnnouncementDraft): Promise<void> {
  const { id, published } = before
  await adminApi('announcements', id).update(parametersOf(draft, { isPublished: published }))
  if (!published && draft.publication === 'now') await setPublished(id, true)
}

export async function setPublished(id: string, isPublished: boolean): Promise<void> {
  await adminApi('announcements', id, isPublished ? 'publish' : 'unpublish').create()
}

export async function deleteAnnouncement(id: string): Promise<void> {
  await adminApi('announcements', id).remove()
}
