import { MastoHttpError } from 'masto'
import { locale } from '../i18n/messages.ts'
import { accessToken } from '../session.ts'
import { recordToken } from './request-tokens.ts'

/**
 * Uploads a media file and returns its id. The server may process it after the response. By XMLHttpRequest, since fetch,
 * which masto.js uses, reports no progress of uploads. `onProgress` gets a number from 0 to 1.
 * @throws MastoHttpError if the server refuses it; TypeError without a response
 */
export async function uploadFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (part: number) => void },
): Promise<string> {
  const form = new FormData()
  form.append('file', file)
  const token = accessToken()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v2/media')
    request.responseType = 'json'
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('accept-language', locale)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      const body = request.response as { id?: string; error?: string } | null
      if (request.status < 300 && body?.id !== undefined) return resolve(body.id)
      const error = new MastoHttpError({ statusCode: request.status, message: body?.error ?? '' })
      recordToken(error, token)
      reject(error)
    })
    for (const event of ['error', 'abort', 'timeout']) {
      request.addEventListener(event, () => reject(new TypeError('No response')))
    }
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
