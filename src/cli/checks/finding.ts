/** What one look at the installation found. `trouble` has to be mended, `care` may be as it should be. */
export interface Finding {
  kind: 'fine' | 'care' | 'trouble'
  text: string
  /** What to do about it. */
  hint?: string
}

export function fine(text: string): Finding {
  return { kind: 'fine', text }
}

export function care(text: string, hint: string): Finding {
  return { kind: 'care', text, hint }
}

export function trouble(text: string, hint: string): Finding {
  return { kind: 'trouble', text, hint }
}

/** What went wrong, in one line. */
export function reasonOf(err: unknown): string {
  const { message, code } = err as { message?: string; code?: string }
  return (message || code || String(err)).split('\n')[0] ?? ''
}
