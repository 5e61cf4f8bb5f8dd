import { queryOptions } from '@tanstack/react-query'
import type { AdminIcon } from '../../../../../src/entities/admin/settings/admin-icon.ts'
import { sendRequest } from '../../../lib/api/send-request.ts'
import type { PictureChange } from '../../../ui/forms/picture-field.tsx'

const PATH = '/api/v1/admin/settings/icon'

/** The icon of the server, for staff who may manage the settings. */
export const siteIconQuery = queryOptions({
  queryKey: ['site-icon'],
  queryFn: async () => sendRequest<AdminIcon>({ method: 'GET', path: PATH }),
})

/** Replaces or removes the icon. Returns the one that is stored then. */
export async function saveSiteIcon(change: PictureChange): Promise<AdminIcon> {
  if (change.type === 'remove') return sendRequest({ method: 'DELETE', path: PATH })
  const body = new FormData()
  if (change.type === 'replace') body.set('image', change.file)
  return sendRequest({ method: 'PUT', path: PATH, body })
}
