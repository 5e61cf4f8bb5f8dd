const CELLS = 30

/** Returns a function that draws a progress bar on standard error, or a line per title if that is not a terminal. */
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
