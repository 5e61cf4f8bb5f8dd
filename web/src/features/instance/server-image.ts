import { queryOptions } from '@tanstack/react-query'
import type { AdminThumbnail as ServerAdminThumbnail } from '../../../../src/entities/admin/settings/admin-thumbnail.ts'
import type { CamelCased } from '../../lib/api/camel-cased.ts'
import { sendRequest } from '../../lib/api/send-request.ts'
import type { PictureChange } from '../../ui/forms/picture-field.tsx'

type AdminThumbnail = CamelCased<ServerAdminThumbnail>

const PATH = '/api/v1/admin/settings/thumbnail'

/** The image that represents the server, for staff who may manage the settings. */
export const serverImageQuery = queryOptions({
  queryKey: ['server-image'],
  queryFn: async () => sendRequest<AdminThumbnail>({ method: 'GET', path: PATH }),
})

/** What the form of the image changes. */
export interface ServerImageDraft {
  change: PictureChange
  description: string
}

export const draftOfServerImage = ({ description }: AdminThumbnail): ServerImageDraft => ({
  change: { type: 'keep' },
  description,
})

/** Returns whether a draft differs from the stored image. */
export function changesServerImage({ change, description }: ServerImageDraft, stored: AdminThumbnail): boolean {
  return change.type !== 'keep' || (stored.url !== null && description !== stored.description)
}

/** Replaces, describes or removes the image. Returns the one that is stored then. */
export async function saveServerImage({ change, description }: ServerImageDraft): Promise<AdminThumbnail> {
  if (change.type === 'remove') return sendRequest({ method: 'DELETE', path: PATH })
  const body = new FormData()
  body.set('description', description)
  if (change.type === 'replace') body.set('image', change.file)
  return sendRequest({ method: 'PUT', path: PATH, body })
}
