import type { Read } from '../../../domain/context.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { hasLocalPollOption } from './find-known-status.ts'

/**
 * Returns whether a note is no status, but a vote: it has a name and replies to a local poll with this option. Its text
 * does not matter, because some servers repeat the option in it (Epicyon) or send an empty line (snac). A named reply
 * without anything to show is a vote, too; some are of options that do not exist any more.
 */
export async function isVote(read: Pick<Read, 'db'>, note: ParsedNote): Promise<boolean> {
  const { vote: option, inReplyTo: statusUri, content, attachments, poll, quote, spoilerText } = note
  if (option === null || statusUri === null) return false
  const hasNoText = spoilerText === '' && htmlToPlainText(content).trim() === ''
  const isEmpty = hasNoText && attachments.length === 0 && poll === null && quote === null
  return isEmpty || hasLocalPollOption(read, { statusUri, option })
}
