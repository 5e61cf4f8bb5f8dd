import type { Fetcher } from '../fetch/fetcher.ts'
import { FetchFailedError, FetchRefusedError } from '../fetch/fetch-errors.ts'

const VERIFICATION_URL = 'https://api.hcaptcha.com/siteverify'
const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
/** Responses of hCaptcha's widget are shorter. */
const MAX_RESPONSE_CHARACTERS = 16_384

/** Thrown if hCaptcha could not be reached, or did not accept the keys of this server. */
export class CaptchaUnavailableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CaptchaUnavailableError'
  }
}

/**
 * Returns whether a user has solved a captcha (https://docs.hcaptcha.com/#verify-the-user-response-server-side).
 * `response`: what the widget added to the form. The IP address of the user is not sent.
 * @throws CaptchaUnavailableError
 */
export async function verifyHcaptcha(
  fetcher: Fetcher,
  { keys, response }: { keys: { siteKey: string; secretKey: string }; response: string },
): Promise<boolean> {
  if (response === '' || response.length > MAX_RESPONSE_CHARACTERS) return false
  const body = new URLSearchParams({ secret: keys.secretKey, sitekey: keys.siteKey, response }).toString()
  const { success, 'error-codes': codes } = await request(fetcher, body)
  if (success === true) return true
  const wrongKey = [codes].flat().find((code) => typeof code === 'string' && /secret|sitekey/.test(code))
  if (wrongKey !== undefined)
    throw new CaptchaUnavailableError(`hCaptcha did not accept the keys: ${JSON.stringify(wrongKey)}`)
  return false
}

async function request(fetcher: Fetcher, body: string): Promise<{ success?: unknown; 'error-codes'?: unknown }> {
  try {
    const answer = await fetcher.request({
      url: VERIFICATION_URL,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      accept: 'application/json',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 'none',
    })
    const parsed: unknown = answer.status === 200 ? JSON.parse(answer.body.toString()) : null
    if (typeof parsed === 'object' && parsed !== null) return parsed
    throw new CaptchaUnavailableError(`hCaptcha responded with ${answer.status}`)
  } catch (err) {
    if (err instanceof SyntaxError) throw new CaptchaUnavailableError('the response of hCaptcha is not JSON')
    if (err instanceof FetchRefusedError || err instanceof FetchFailedError)
      throw new CaptchaUnavailableError(err.message)
    throw err
  }
}
