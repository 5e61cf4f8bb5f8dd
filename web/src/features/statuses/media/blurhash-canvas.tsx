import { useEffect, useRef } from 'react'
import { decodeBlurhash } from './blurhash.ts'

/** Pixels. The browser scales the canvas, so a larger one would look the same. */
const SIZE = 16

/** A blurred picture that is shown until the real one has loaded, or instead of it. Decorative. */
export function BlurhashCanvas({ hash, className }: { hash: string | null; className?: string | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const pixels = hash === null ? null : decodeBlurhash(hash, SIZE)
    if (pixels) canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, SIZE, SIZE), 0, 0)
  }, [hash])
  return <canvas ref={canvas} className={className} width={SIZE} height={SIZE} aria-hidden="true" />
}
