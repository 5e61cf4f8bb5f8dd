import type { MarkdownIt } from 'markdown-it'

let writer: Promise<MarkdownIt> | undefined

/**
 * A longer text in Markdown (CommonMark), such as terms of service, as HTML. HTML in it is shown as text, pictures as
 * their descriptions; links lead to web and mail addresses only, relative ones from `base`.
 */
export async function formatDocument(text: string, { base }: { base: string }): Promise<string> {
  const markdown = await (writer ??= loadWriter())
  return markdown.render(text, { base }).trim()
}

/** Loaded on first use: few processes ever need it. */
async function loadWriter(): Promise<MarkdownIt> {
  const { default: Markdown } = await import('markdown-it')
  const markdown = new Markdown({ html: false, linkify: true }).disable('image')
  markdown.validateLink = (address) => /^(?:https?:\/\/|mailto:|[/#](?!\/))/i.test(address.trim())
  markdown.renderer.rules['link_open'] = (tokens, at, options, env, self) => {
    const token = tokens[at]!
    const address = String(token.attrGet('href') ?? '')
    if (address === '') token.attrSet('href', '#')
    if (address.startsWith('/')) token.attrSet('href', new URL(address, String(env?.['base'])).href)
    if (!/^(#|$)/.test(address)) token.attrSet('rel', 'nofollow noopener')
    return self.renderToken(tokens, at, options)
  }
  return markdown
}
