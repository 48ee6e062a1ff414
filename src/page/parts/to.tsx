/** An arrow from one state to another. It is drawn, since not every font has one. */
export function To() {
  return (
    <span class="to">
      <span class="hidden"> to </span>
    </span>
  );
}
