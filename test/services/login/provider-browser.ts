/** A browser at the provider of an external log-in: it stores the provider's cookies and follows its redirects. */
export interface ProviderBrowser {
  /** Opens a page and follows redirects. Returns the first URL that is not of the provider. */
  visit(url: string): Promise<URL>
}

const MAX_REDIRECTS = 10

export function createProviderBrowser({ origin }: { origin: string }): ProviderBrowser {
  const cookies = new Map<string, string>()
  return {
    async visit(start) {
      let url = new URL(start)
      for (let count = 0; count < MAX_REDIRECTS; count += 1) {
        if (url.origin !== origin) return url
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null)
          throw new Error(`${url.href} responded with ${response.status}: ${await response.text()}`)
        url = new URL(location, url)
      }
      throw new Error(`${start} redirects without end`)
    },
  }
}
