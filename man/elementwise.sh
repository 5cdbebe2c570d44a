#!/bin/bash
# The page of one elementwise command, from elementwise.1.in and what the command says of itself:
# elementwise.sh NAME BINDIR >axt-NAME.1
set -eu -o pipefail

name=$1
bin=$2/axt-$name
options=$("$bin" --options)
line=$(sed -n 's/^command	[^	]*	//p' <<<"$options" | sed 's/[|&\\]/\\&/g')
help=$("$bin" -h)
usage=${help%%$'\n'*}
case $usage in
*...) operands='.Ar A B ...' ;;
*) operands='.Ar A B' ;;
esac
# A command whose operands may change places reads standard input for a missing one.
if grep -q '^commutes' <<<"$options"; then
	stdin='A missing operand is standard input.'
else
	stdin='One operand may be \\- for standard input.'
fi
case $name in
eq | ne)
	text="A dataset that holds text is compared with a word:\\
.Li \"axt-$name s.nc:station_name Oslo\" ."
	;;
*) text= ;;
esac
sed -e "s/@NAME@/$name/g" \
	-e "s/@TITLE@/${name^^}/g" \
	-e "s|@LINE@|$line|g" \
	-e "s/@OPERANDS@/$operands/" \
	-e "s/@TEXT@/$text/" -e '/^$/d' \
	-e "s/@STDIN@/$stdin/" "${0%/*}/elementwise.1.in"
