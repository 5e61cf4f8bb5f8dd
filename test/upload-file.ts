import { multipart } from './client.ts'
import type { Answer } from './client.ts'
import type { Person } from './world.ts'
import type { MediaAttachment } from '../src/entities/media.ts'

type Parts = Parameters<typeof multipart>[0]

/** Uploads a file, which is called what it is not, with what else belongs into the form. */
export async function uploadFile(
  { client }: Person,
  bytes: Buffer,
  { path = '/api/v2/media', ...parts }: Parts & { path?: string } = {},
): Promise<Answer<MediaAttachment>> {
  const form = await multipart({ file: { filename: 'a.html', type: 'text/html', bytes }, ...parts })
  return client.post<MediaAttachment>(path, form.payload, form.headers)
}
