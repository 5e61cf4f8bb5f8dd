const CELLS = 30

/** Draws a bar on standard error, or where that is no terminal, a line for each new title. */
export function showProgress(): (done: number, title: string) => void {
  const { stderr } = process
  let last = ''
  return (done, title) => {
    if (stderr.isTTY) {
      const full = Math.round(done * CELLS)
      const percent = `${Math.floor(done * 100)}`.padStart(3)
      stderr.write(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${percent} %  ${title}`)
      if (done === 1) stderr.write('\r\u001b[K')
    } else if (title !== last) {
      stderr.write(`${`${Math.floor(done * 100)}`.padStart(3)} %  ${title}\n`)
    }
    last = title
  }
}
