import { hideAddresses } from '../lib/text/hide-addresses.ts'
import type { MailAddress, SmtpConfig } from './config/read-smtp-settings.ts'
import { FetchFailedError } from './fetch/fetch-errors.ts'
import { FetchLimiter } from './fetch/fetch-limiter.ts'
import { PermanentError } from './jobs/permanent-error.ts'

interface OutgoingMail {
  /** Becomes the Message-ID, so that most mail clients show a mail once even if it is sent twice. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** URL of the one-click unsubscription (RFC 8058). Null: users cannot unsubscribe from this mail. */
  unsubscribeUrl: string | null
}

export interface Smtp {
  /**
   * Sends a mail.
   * @throws PostponedError if too many mails wait for the mail server already; FetchFailedError if it did not respond
   *   recently; PermanentError if it has rejected the mail; its error if the mail may be sent later
   */
  send(mail: OutgoingMail): Promise<void>
  /** Connects and logs in without sending a mail. Rejects with the reason of the mail server. */
  verify(): Promise<void>
  close(): void
}

/**
 * How long the mail server may take for a reply: it may check a mail before it accepts it (RFC 5321, section 4.5.3.2.6).
 * Linnet would send a mail again that the mail server accepts later.
 */
const REPLY_TIMEOUT_MS = 600_000

/** The same while a user waits for the result of a check, which sends no mail. */
const VERIFY_TIMEOUT_MS = 30_000

/** A connection without mails is closed before a firewall drops it. */
const IDLE_TIMEOUT_MS = 30_000

/** A mail is not aborted: one that the mail server has accepted meanwhile would be sent twice. */
const ignoreAbort = () => {}

/**
 * Sends mails by SMTP. The library is loaded at the first mail, because most processes send none. `maxConcurrent`: how
 * many jobs may wait for other servers at the same time. As for requests, only a share of them may wait for the mail
 * server, so that a slow one does not delay deliveries.
 */
export function createSmtp(
  config: SmtpConfig,
  {
    from,
    replyTo,
    domain,
    maxConcurrent,
  }: { from: MailAddress; replyTo: MailAddress | null; domain: string; maxConcurrent: number },
): Smtp {
  const hostName = domain.replace(/:\d+$/, '')
  const limiter = new FetchLimiter({ maxConcurrent })
  const request = {
    url: `smtp://${config.host}:${config.port}`,
    background: { sender: 'mail' },
    abort: ignoreAbort,
  }
  let transport: Promise<import('nodemailer').Transporter> | undefined
  const connect = async ({ replyTimeoutMs = REPLY_TIMEOUT_MS } = {}) => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: config.host,
      port: config.port,
      // For EHLO. The library would send `[127.0.0.1]` if the name of the machine is not fully qualified, as in a
      // container, which for example the relay of Google refuses.
      name: hostName,
      secure: config.tls,
      requireTLS: config.startTls === 'always',
      ignoreTLS: config.startTls === 'never',
      ...(config.login ? { auth: { user: config.login, pass: config.password ?? '' } } : {}),
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: replyTimeoutMs,
      idleTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      transport ??= connect()
      const opened = await transport
      const slot = limiter.begin(request)
      try {
        // Address objects instead of header texts, so that a name or an address cannot add a header or another recipient.
        await opened.sendMail({
          messageId: `<${id}@${hostName}>`,
          from,
          ...(replyTo && { replyTo }),
          to: { name: '', address: to },
          subject: subject.replace(/[\r\n]+/g, ' '),
          text,
          html,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== null && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        slot.end(null)
      } catch (err) {
        const isAnswered = err instanceof Error && 'responseCode' in err
        slot.end(isAnswered ? null : new FetchFailedError('network', String(err)))
        throw isRejection(err)
          ? new PermanentError(`The mail server rejected the mail: ${hideAddresses(err.response)}`)
          : withoutAddresses(err)
      }
    },
    async verify() {
      const opened = await connect({ replyTimeoutMs: VERIFY_TIMEOUT_MS })
      await opened.verify().finally(() => opened.close())
    },
    close() {
      void transport?.then((opened) => opened.close())
    },
  }
}

/** Removes e-mail addresses from an error, which the log and the list of jobs repeat. */
function withoutAddresses(err: unknown): unknown {
  if (!(err instanceof Error)) return err
  err.message = hideAddresses(err.message)
  // The stack begins with a copy of the message.
  err.stack = err.stack?.replace(/^[^]*?(?=\n {4}at )/, hideAddresses)
  return err
}

/** The commands whose replies are about a mail. Others open a connection, secure it or log in. */
const MAIL_COMMANDS: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

/** Replies that require TLS or another log-in (RFC 3207, RFC 4954): the administrator has to correct the settings. */
const AUTHENTICATION_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538])

/** Returns whether the mail server has rejected a mail permanently (RFC 5321, section 4.2.1). */
function isRejection(err: unknown): err is Error & { response: string } {
  const { command, responseCode } = err as { command?: string; responseCode?: number }
  return (
    MAIL_COMMANDS.has(command ?? '') &&
    responseCode !== undefined &&
    responseCode >= 500 &&
    !AUTHENTICATION_CODES.has(responseCode)
  )
}
