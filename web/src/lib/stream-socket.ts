/**
 * A WebSocket without the errors that the server sends about single streams, for example that of a list which was
 * deleted meanwhile. masto.js would end all subscriptions of the connection at such an error.
 */
// oxlint-disable-next-line no-restricted-globals -- masto.js opens it.
export class StreamSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols)
    // The first listener, so that no other one gets these messages.
    this.addEventListener('message', (event: MessageEvent<string>) => {
      if ('error' in (JSON.parse(event.data) as object)) event.stopImmediatePropagation()
    })
  }
}
