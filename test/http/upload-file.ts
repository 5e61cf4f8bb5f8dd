import { multipart } from './client.ts'
import type { ClientResponse } from './client.ts'
import type { TestUser } from '../servers/test-server.ts'
import type { MediaAttachment } from '../../src/entities/statuses/media.ts'

type Parts = Parameters<typeof multipart>[0]

/** Uploads a file with a wrong name and type, and with the other fields of the form. */
export async function uploadFile(
  { client }: TestUser,
  bytes: Buffer,
  { path = '/api/v2/media', ...parts }: Parts & { path?: string } = {},
): Promise<ClientResponse<MediaAttachment>> {
  const form = await multipart({ file: { filename: 'a.html', type: 'text/html', bytes }, ...parts })
  return client.post<MediaAttachment>(path, form.payload, form.headers)
}
