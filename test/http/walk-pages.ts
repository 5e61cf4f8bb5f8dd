import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** Follows one relation of the Link header from a page to the last page with rows. Returns the ids of each page. */
export async function walkPages(client: Client, path: string, rel: 'next' | 'prev' = 'next'): Promise<string[][]> {
  const pages: string[][] = []
  for (let url: string | undefined = path; url !== undefined;) {
    const answer: Awaited<ReturnType<typeof client.get<{ id: string }[]>>> = await client.get(url)
    assert.equal(answer.status, 200)
    if (answer.body.length === 0) break
    pages.push(answer.body.map(({ id }) => id))
    url = new RegExp(`<https://linnet\\.test([^>]+)>; rel="${rel}"`).exec(String(answer.headers.link))?.[1]
  }
  return pages
}
