import { once } from 'node:events'
import { WebSocket } from 'ws'

/** Somebody who looks at their home all the time: by a socket, and after each break by asking for what came since. */
export interface Fan {
  /** Ids of everything that came, whichever way. */
  readonly seen: ReadonlySet<string>
  /** How often there was no socket, or none any more. */
  readonly breaks: number
  stop(): Promise<void>
}

/** More posts than fit on a page are asked for page by page, upwards. */
const PAGE = 40

export function watchHome({ origin, token, up }: { origin: string; token: string; up(): Promise<void> }): Fan {
  const seen = new Set<string>()
  let breaks = 0
  let stopped = false
  let socket: WebSocket | null = null
  /** The newest post known when the last socket was opened: whatever the stream missed is newer. */
  let since = '0'

  const catchUp = async () => {
    let cursor = since
    for (;;) {
      const url = `${origin}/api/v1/timelines/home?limit=${PAGE}&min_id=${cursor}`
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const page = (await response.json()) as { id: string }[]
      for (const { id } of page) seen.add(id)
      if (page.length === 0) return cursor
      cursor = page[0]!.id
    }
  }

  const listen = async () => {
    await up()
    socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/streaming?stream=user`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const closed = new Promise<void>((resolve) => socket?.on('close', () => resolve()))
    // What breaks it also closes it.
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string }
      if (event === 'update') seen.add((JSON.parse(payload) as { id: string }).id)
    })
    await Promise.race([once(socket, 'open'), closed])
    if (socket.readyState !== WebSocket.OPEN) return
    since = await catchUp()
    await closed
  }

  const watching = (async () => {
    while (!stopped) {
      await listen().catch(() => undefined)
      breaks += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    seen,
    get breaks() {
      return breaks
    },
    async stop() {
      stopped = true
      socket?.terminate()
      await watching
    },
  }
}
