import type { MarkdownIt } from 'markdown-it'

let loadedMarkdown: Promise<MarkdownIt> | undefined

/**
 * Converts Markdown (CommonMark), such as terms of service, to HTML. Escapes HTML in it and replaces images by their
 * descriptions. Allows only web and mail links; relative ones are resolved with `base`.
 */
export async function formatDocument(text: string, { base }: { base: string }): Promise<string> {
  const markdown = await (loadedMarkdown ??= loadMarkdown())
  return markdown.render(text, { base }).trim()
}

/** Loaded at the first use, because few processes need it. */
async function loadMarkdown(): Promise<MarkdownIt> {
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
