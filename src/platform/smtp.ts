import type { SmtpConfig } from './config.ts'

interface Letter {
  /** Becomes the Message-ID, so a letter that is sent twice is seen once by most mail programs. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  /** Where it is stopped by one request without a page (RFC 8058); null = it can't be. */
  unsubscribeUrl: string | null
}

export interface Smtp {
  send(letter: Letter): Promise<void>
  /** Connects and logs in, without a letter. Rejects with the server's reason. */
  check(): Promise<void>
  close(): void
}

/** Sends letters through a mail server. The library is loaded with the first letter: most processes never write one. */
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
      // Address objects, never header text: a name or an address can't add a header or a second recipient.
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
    async check() {
      transport ??= connect()
      await (await transport).verify()
    },
    close() {
      void transport?.then((opened) => opened.close())
    },
  }
}
