/** A pointer that has moved so far, in pixels, drags, and chooses nothing where it is let go. */
const DRAGS_FROM = 4;

/** How a diagram is moved in its frame beyond scrolling: dragged with the mouse, and zoomed by keys and by the wheel with Ctrl. */
export function frameMoves(zoomBy: (factor: number) => void, fit: () => void) {
  let moved = 0;
  return {
    onPointerDown: () => (moved = 0),
    onPointerMove: (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || event.buttons !== 1) return;
      moved += Math.abs(event.movementX) + Math.abs(event.movementY);
      (event.currentTarget as HTMLElement).scrollBy(-event.movementX, -event.movementY);
    },
    onClickCapture: (event: MouseEvent) => {
      if (moved >= DRAGS_FROM) event.stopPropagation();
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === '+') zoomBy(1.25);
      else if (key === '-') zoomBy(0.8);
      else if (key === '0') fit();
    },
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    },
  };
}
