import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** The settings with which a server sends its mails there. */
  env: Record<string, string>
  /** The received mails, oldest first; `data` without the encoding of long lines. */
  mails: { to: string[]; data: string }[]
  close(): Promise<void>
}

/** Starts an SMTP server that accepts every mail. */
export async function openMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const text = Buffer.concat(parts).toString()
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), data: decodeQuotedPrintable(text) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    env: { SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port), SMTP_ENABLE_STARTTLS: 'never' },
    mails,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Decodes ASCII text (RFC 2045 §6.7). */
function decodeQuotedPrintable(text: string): string {
  const unfolded = text.replaceAll('=\r\n', '')
  return unfolded.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
