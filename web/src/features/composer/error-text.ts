import { MastoHttpError } from 'masto'
import { message } from '../../lib/i18n/messages.ts'
import { AttachmentError } from './media/uploads.ts'

/** Returns why a draft could not be sent: the text of the server, or that there was no usable answer. */
export function textOfError(error: unknown): string {
  if (error instanceof AttachmentError) return message('web.composer.attachment-failed')
  if (error instanceof MastoHttpError && error.statusCode < 500) return error.message
  return message('web.composer.failed')
}
