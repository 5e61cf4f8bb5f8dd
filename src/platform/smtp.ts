import type { SmtpConfig } from './config/read-smtp-settings.ts'

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
  send(mail: OutgoingMail): Promise<void>
  /** Connects and logs in without sending a mail. Rejects with the reason of the mail server. */
  verify(): Promise<void>
  close(): void
}

/** Sends mails by SMTP. The library is loaded at the first mail, because most processes send none. */
export function createSmtp(config: SmtpConfig, { from, domain }: { from: string; domain: string }): Smtp {
  let transport: Promise<import('nodemailer').Transporter> | undefined
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: config.host,
      port: config.port,
      secure: config.tls,
      requireTLS: config.startTls === 'always',
      ignoreTLS: config.startTls === 'never',
      ...(config.login ? { auth: { user: config.login, pass: config.password ?? '' } } : {}),
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  return {
    async send({ id, to, subject, text, html, unsubscribeUrl }) {
      transport ??= connect()
      // Address objects instead of header texts, so that a name or an address cannot add a header or another recipient.
      await (
        await transport
      ).sendMail({
        messageId: `<${id}@${domain.replace(/:\d+$/, '')}>`,
        from: { name: '', address: from },
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
    },
    async verify() {
      transport ??= connect()
      await (await transport).verify()
    },
    close() {
      void transport?.then((opened) => opened.close())
    },
  }
}
