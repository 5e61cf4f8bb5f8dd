import { html, isolate } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'
import { detectDirection } from '../../lib/text/detect-direction.ts'

/** What a letter says, without a word about how it looks. */
export interface Letter {
  subject: string
  /** The name of the server, as its domain. */
  site: string
  title: string
  paragraphs: readonly string[]
  /** The one thing to do. The address is always one of ours. */
  action?: { text: string; url: string }
  /** What somebody typed, shown as a quotation. */
  quote?: string | null
  /** A quiet line at the end: why this letter came, and what to do if it should not have. */
  note: string
  /** Where such letters are stopped. */
  stop?: { text: string; url: string }
}

/**
 * The letter as plain text and as HTML. Many mail programs know no stylesheets, so what it needs is inline; those that
 * know them learn how it looks in the dark.
 */
export function layOut(letter: Letter): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: asText(letter), html: asHtml(letter).toString() }
}

function asText({ title, paragraphs, action, quote, note, stop, site }: Letter): string {
  const quoted = quote && linesOf(quote).map((line) => `> ${line}`)
  return [
    title,
    ...paragraphs,
    ...(quoted ? [quoted.join('\n')] : []),
    ...(action ? [`${action.text}:\n${action.url}`] : []),
    note,
    ...(stop ? [`${stop.text}:\n${stop.url}`] : []),
    `-- \n${site}`,
  ].join('\n\n')
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}

function asHtml({ title, paragraphs, action, quote, note, stop, site, subject }: Letter): SafeHtml {
  return html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        <style>
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
                  <td class="site" style="padding:0 8px 16px;font-weight:700;color:#a92449">${isolate(site)}</td>
                </tr>
                <tr>
                  <td
                    class="sheet"
                    style="padding:32px 24px;background:#ffffff;border:1px solid #e8dfd6;border-radius:16px"
                  >
                    <h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${title}</h1>
                    ${paragraphs.map((words) => html`<p style="margin:0 0 16px">${words}</p>`)}
                    ${
                      quote &&
                      html`<blockquote
                        class="quote"
                        dir="${detectDirection(quote) ?? 'auto'}"
                        style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #e8dfd6"
                      >
                        ${linesOf(quote).map((line) => html`${line}<br />`)}
                      </blockquote>`
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
                        <p class="soft" style="margin:0;font-size:14px;color:#6d625c">${action.url}</p>`
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
