import { html, isolateDirection } from '../../lib/html/html.ts'
import type { SafeHtml } from '../../lib/html/html.ts'
import { directionOf } from '../../lib/messages/locales.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { detectDirection } from '../../lib/text/detect-direction.ts'

/** The content of a mail, which is laid out as text and as HTML. */
interface MailContent {
  locale: Locale
  subject: string
  /** The name of the server, as its domain. */
  site: string
  title: string
  paragraphs: readonly string[]
  /** The main link. Its URL is always one of this server. */
  action?: { text: string; url: string }
  /** Text of a user, shown as a quotation. */
  quote?: string | null
  /** A text of the staff with its title, in Markdown and as HTML that this server generated. */
  document?: { title: string; text: string; html: SafeHtml }
  /** The last line: why the recipient gets this mail, and what to do if they did not expect it. */
  note: string
  /** The link to unsubscribe from mails of this kind. */
  stop?: { text: string; url: string }
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/**
 * Returns a mail as plain text and as HTML. Many mail programs ignore stylesheets, so styles are inline; the stylesheet
 * only adds the dark colour scheme and wraps code in texts of the staff.
 */
export function layOut(content: MailContent): RenderedMail {
  return { subject: content.subject, text: asText(content), html: asHtml(content).toString() }
}

function asText({ title, paragraphs, action, quote, document, note, stop, site }: MailContent): string {
  const quoted = quote && linesOf(quote).map((line) => `> ${line}`)
  return [
    title,
    ...paragraphs,
    ...(quoted ? [quoted.join('\n')] : []),
    ...(document ? [document.title, document.text] : []),
    ...(action ? [`${action.text}:\n${action.url}`] : []),
    note,
    ...(stop ? [`${stop.text}:\n${stop.url}`] : []),
    `-- \n${site}`,
  ].join('\n\n')
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}

function asHtml({
  locale,
  title,
  paragraphs,
  action,
  quote,
  document,
  note,
  stop,
  site,
  subject,
}: MailContent): SafeHtml {
  const dir = directionOf(locale)
  return html`<!doctype html>
    <html lang="${locale}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
          pre {
            white-space: pre-wrap;
          }
          @media (prefers-color-scheme: dark) {
            .paper {
              background: #171413 !important;
            }
            .sheet {
              background: #1f1b19 !important;
              border-color: #332d2a !important;
              color: #f2ece6 !important;
            }
            .quote {
              border-color: #837971 !important;
            }
            .soft {
              color: #b9aea5 !important;
            }
            .site {
              color: #f193aa !important;
            }
            .button {
              background: #bf3559 !important;
            }
          }
        </style>
      </head>
      <body class="paper" style="margin:0;padding:0;background:#faf7f3">
        <table
          role="presentation"
          class="paper"
          lang="${locale}"
          dir="${dir}"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="table-layout:fixed;background:#faf7f3"
        >
          <tr>
            <td align="center" style="padding:32px 16px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:560px;table-layout:fixed;overflow-wrap:anywhere;word-break:break-word;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.55;color:#2a2321"
              >
                <tr>
                  <td class="site" style="padding:0 8px 16px;font-weight:700;color:#a92449">
                    ${isolateDirection(site)}
                  </td>
                </tr>
                <tr>
                  <td
                    class="sheet"
                    style="padding:32px 24px;background:#ffffff;border:1px solid #e8dfd6;border-radius:16px"
                  >
                    <h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${title}</h1>
                    ${paragraphs.map((words) => html`<p style="margin:0 0 16px">${words}</p>`)}
                    ${quote && quotation(quote)}
                    ${
                      document &&
                      html`<h2 style="margin:0 0 8px;font-size:18px;line-height:1.35">${document.title}</h2>
                        <div dir="auto">${document.html}</div>`
                    }
                    ${
                      action &&
                      html`<p style="margin:24px 0">
                          <a
                            class="button"
                            href="${action.url}"
                            style="display:inline-block;padding:12px 24px;background:#a92449;color:#ffffff;border-radius:999px;text-decoration:none;font-weight:600"
                            >${action.text}</a
                          >
                        </p>
                        <p class="soft" style="margin:0;font-size:14px;color:#6d625c">
                          ${isolateDirection(action.url)}
                        </p>`
                    }
                  </td>
                </tr>
                <tr>
                  <td class="soft" style="padding:16px 8px 0;font-size:14px;color:#6d625c">
                    ${note} ${stop && html`<a class="soft" href="${stop.url}" style="color:#6d625c">${stop.text}</a>`}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `
}

/**
 * A quotation in its own text direction. Few mail programs support the logical properties of CSS, so both sides are
 * spelled out.
 */
function quotation(quote: string): SafeHtml {
  const lines = linesOf(quote).map((line) => html`${line}<br />`)
  const dir = detectDirection(quote) ?? 'auto'
  return dir === 'rtl'
    ? html`<blockquote
        class="quote"
        dir="rtl"
        style="margin:0 0 16px;padding:0 16px 0 0;border-right:3px solid #e8dfd6"
      >
        ${lines}
      </blockquote>`
    : html`<blockquote
        class="quote"
        dir="${dir}"
        style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #e8dfd6"
      >
        ${lines}
      </blockquote>`
}
